// The page: its data, its settings, the current job and its results.

import {
  Problem,
  examples,
  forget,
  outcome,
  registry,
  result,
  run,
  service,
  takeToken,
  upload,
} from "./api.js";
import { DataPanel, LEADS, SLOTS, TITLES, formValues, heldExample } from "./data.js";
import { byId } from "./elements.js";
import { CHOICE } from "./fields.js";
import { acceptDrops } from "./files.js";
import { frame, openSettings } from "./frame.js";
import { OutcomeView } from "./outcome_view.js";
import { readAddress, writeAddress } from "./permalink.js";
import { ProblemBox } from "./problem_box.js";
import { Progress } from "./progress.js";
import { Settings } from "./settings.js";
import { count } from "./words.js";

const PAGES = ["units", "items", "compare", "chains", "outcome"];
const LAYER = "reading.layer";

class App {
  constructor() {
    this.pages = Object.fromEntries(
      PAGES.map((name) => [
        name,
        {
          settings: new Settings(name, (key) => this.#settingChanged(key)),
          held: {},
          about: null,
          describing: null,
        },
      ]),
    );
    this.examples = [];
    this.service = { charts: false, report: false, version: "" };
    this.progress = new Progress(() => this.#stop());
    this.problem = new ProblemBox(() => this.#openReading());
    this.view = new OutcomeView({ problem: (error) => this.#problem(error) });
    this.panel = new DataPanel(byId("data-body"), {
      onFiles: (slot, files) => this.#take(slot, files),
      onExample: (example) => this.#tryExample(example),
      onClear: (slot) => this.#clear(slot),
    });
  }

  async start() {
    takeToken();
    frame({ address: () => this.#address() });
    acceptDrops(document.body, (files) => this.#take(this.#freeSlot(), files));
    addEventListener("hashchange", () => this.#follow());
    this.#follow({ compute: false });
    try {
      [this.service, this.examples, this.registry] = await Promise.all([
        service(),
        examples(),
        registry(),
      ]);
      for (const { settings } of Object.values(this.pages)) settings.define(this.registry);
      byId("version").textContent = `unisono ${this.service.version}`;
      this.#panel();
      await this.#follow();
    } catch (error) {
      this.#problem(
        error.status === 401
          ? new Problem("this service needs a token: add #token=TOKEN to its address")
          : error,
      );
    }
  }

  get state() {
    return this.pages[this.page];
  }

  /** Show the page of the address. */
  async #follow({ compute = true } = {}) {
    const { page, parameters, known } = readAddress(PAGES);
    if (!known) return;
    const { example, ...values } = parameters;
    const before = this.page;
    this.page = page;
    this.state.settings.take(values);
    for (const link of byId("pages").children) {
      if (link.dataset.page === page) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    byId("intro-title").textContent = TITLES[page];
    byId("lead").textContent = LEADS[page];
    document.title = "unisono";
    if (before !== page) this.#blank();
    this.state.settings.build(byId("settings-form"));
    this.#panel();
    if (!compute) return;
    const shipped = this.examples.find((each) => each.name === example);
    if (shipped && this.state.example !== example) await this.#hold(shipped);
    else if (this.#ready()) await this.#compute();
  }

  #blank() {
    this.running?.abort();
    this.progress.end();
    this.view.blank();
    this.#problem(null);
  }

  #panel() {
    const started = Object.keys(this.state.held).length > 0;
    document.body.classList.toggle("started", started);
    byId("settings").hidden = !started;
    const fitting = this.examples.filter((example) => this.#pageOf(example) === this.page);
    const others = this.page === PAGES[0] ? this.examples : fitting;
    const examples = [...new Set([...fitting, ...others])];
    this.panel.show(this.page, this.state.held, examples, this.state.about);
  }

  /** The page that offers the first measure of an example. */
  #pageOf({ measures: [first] }) {
    return this.registry.tabs.find(({ requests }) => requests.includes(first)).name;
  }

  #freeSlot() {
    const free = SLOTS[this.page].find((slot) => !this.state.held[slot.name]);
    return (free ?? SLOTS[this.page][0]).name;
  }

  async #take(slot, files) {
    this.#problem(null);
    this.progress.begin(count(files.length, "file"), "sending");
    try {
      const data = await upload(files);
      forget(this.state.held[slot]?.data);
      const names = [...new Set(files.map(({ name }) => name.split("/")[0]))];
      this.state.held = {
        ...this.state.held,
        [slot]: {
          data: data.data,
          title: names.length > 2 ? `${names[0]} and ${names.length - 1} more` : names.join(", "),
          files: data.files.length > 1 ? count(data.files.length, "file") : null,
        },
      };
      this.#fresh(null);
      await this.#compute();
    } catch (error) {
      this.progress.end();
      this.#problem(error);
    }
  }

  async #tryExample(example) {
    const page = this.#pageOf(example);
    const { settings } = this.pages[page];
    settings.take({ [CHOICE]: example.measures[0], ...formValues(example) });
    const parameters = { example: example.name, ...settings.changedValues() };
    writeAddress(page, parameters, { entry: true });
    await this.#follow();
  }

  async #hold(example) {
    this.state.held = heldExample(example);
    this.state.exampleSettings = Object.keys(formValues(example));
    this.#fresh(example.name);
    await this.#compute();
  }

  #fresh(example) {
    // The settings of an example do not apply to other data.
    if (!example && this.state.example) this.state.settings.reset(this.state.exampleSettings);
    this.state.example = example;
    this.state.about = null;
    this.state.describing = null;
    this.#blank();
    this.#panel();
    this.#address();
  }

  #clear(slot) {
    const { [slot]: gone, ...rest } = this.state.held;
    forget(gone?.data);
    this.state.held = rest;
    this.#fresh(null);
    byId("data-body").querySelector("button")?.focus();
  }

  #ready() {
    const { held, settings } = this.state;
    if (!settings.request) return false;
    if (this.page !== "compare") return Boolean(held.data);
    return Boolean(
      held.reference &&
      (held.hypothesis || (settings.values.reference && settings.values.hypothesis)),
    );
  }

  #settingChanged(key) {
    this.#address();
    if (this.state.settings.isOfReading(key)) this.state.describing = null;
    this.#compute();
  }

  #address() {
    const { example, settings } = this.state;
    const parameters = { ...(example ? { example } : {}), ...settings.changedValues() };
    writeAddress(this.page, parameters);
    // The link to the page restores its settings.
    byId("pages").querySelector(`[data-page="${this.page}"]`).href = location.hash;
    const [held] = Object.values(this.state.held);
    document.title = held ? `${held.title} – unisono` : "unisono";
  }

  #request() {
    const { held, settings } = this.state;
    const sent = settings.sent();
    if (this.page !== "compare") return { data: held.data.data, settings: sent };
    if (!held.hypothesis) return { within: held.reference.data, settings: sent };
    return { reference: held.reference.data, hypothesis: held.hypothesis.data, settings: sent };
  }

  /** Run a job for the current settings; a running job is cancelled. */
  async #compute() {
    this.running?.abort();
    if (!this.#ready()) {
      this.#await();
      return;
    }
    const running = new AbortController();
    this.running = running;
    const { signal } = running;
    const page = this.page;
    const request = this.#request();
    const kind = this.state.settings.request;
    this.#problem(null);
    this.progress.begin("");
    this.view.outdate();
    const changed = (each) => this.progress.update(each);
    const working = run(kind.name, request, { signal, changed }).then((job) => outcome(job, signal));
    const describing =
      page === "units" ? soonAfter(working, () => this.#describe(request, signal)) : null;
    let measured = false;
    describing?.then((early) => {
      // If the job takes long, show the annotations in the meantime.
      const idle = !measured && !signal.aborted && this.view.annotations.section.hidden;
      if (early && idle) this.view.draw(early, { early: true, signal });
    });
    try {
      const out = await working;
      measured = true;
      this.progress.end();
      this.view.show(out);
      const drawn = out.documents.length > 0 ? out : await describing;
      if (signal.aborted) return;
      await this.view.draw(drawn, { sheet: out.sheet, signal });
      const { title } = Object.values(this.state.held)[0];
      const { service, registry } = this;
      this.view.offer(out, { request, kind, service, registry, title, signal });
    } catch (error) {
      if (error.name === "AbortError" || this.running !== running) return;
      this.progress.end();
      if (page === "units" && error.kind === "reading" && (await this.#asItems(request, signal)))
        return;
      this.view.withdraw();
      this.#problem(error);
      const drawn = await describing;
      if (signal.aborted) return;
      this.#offerLayers();
      if (drawn) await this.view.draw(drawn, { signal });
    }
  }

  /** Describe a reference without a hypothesis, because it may contain both. */
  async #await() {
    this.progress.end();
    const { held, settings } = this.state;
    if (this.page !== "compare" || !held.reference) return;
    if (!settings.request) return;
    const found = await this.#describe(
      { data: held.reference.data, settings: settings.sent() },
      new AbortController().signal,
    );
    if (!found) return;
    const roles = SLOTS[this.page].map(({ name }) => name);
    settings.suggest(Object.keys(this.state.about?.by_annotator ?? {}), roles);
  }

  /** Describe the files next to the results, once per set of reading settings. */
  async #describe(request, signal) {
    const { state } = this;
    state.describing ??= (async () => {
      state.about ??= { waiting: true };
      this.#panel();
      const settings = request.settings.reading ? { reading: request.settings.reading } : {};
      // Not cancelled by other settings, which do not affect the description.
      const job = await run("describe", { data: request.data, settings });
      const [out, about] = await Promise.all([outcome(job), result(job)]);
      state.about = about;
      return { job, documents: out.documents };
    })().catch(() => {
      state.about = null;
      state.describing = null;
      return null;
    });
    const found = await state.describing;
    if (state === this.state && !signal.aborted) this.#panel();
    return found;
  }

  /** If ratings were uploaded as units, switch to the page for items. */
  async #asItems(request, signal) {
    try {
      await run("items", { data: request.data, settings: {} }, { signal });
    } catch {
      return false;
    }
    const { held } = this.state;
    this.state.held = {};
    this.pages.items.held = held;
    this.pages.items.example = null;
    writeAddress("items", {}, { entry: true });
    await this.#follow();
    this.#problem(null);
    this.view.remark("The file contains ratings of items, so it was opened under Items.");
    return true;
  }

  /** Read the files again with the settings of the chosen reading. */
  #answer(settings) {
    this.state.settings.answer(settings);
    this.state.describing = null;
    this.state.about = null;
    this.#address();
    this.#compute();
  }

  #stop() {
    this.running?.abort();
    this.progress.end();
    this.problem.stopped(() => this.#compute());
  }

  #problem(error) {
    if (error?.question) this.problem.ask(error.question, (settings) => this.#answer(settings));
    else if (error) this.problem.show(error, { canCorrect: this.#ready() });
    else this.problem.clear();
  }

  #offerLayers() {
    const { about, settings } = this.state;
    if (settings.values[LAYER]) return;
    const layers = Object.keys(about?.by_layer ?? {});
    this.problem.offerLayers(layers, (layer) => settings.choose(LAYER, layer));
  }

  #openReading() {
    openSettings(true);
    this.state.settings.openGroup("Reading");
  }
}

/** Start another request when the job has ended, or after a delay: the result has priority. */
async function soonAfter(working, begin) {
  await Promise.race([
    working.catch(() => {}),
    new Promise((resolve) => {
      setTimeout(resolve, 400);
    }),
  ]);
  return begin();
}

new App().start();
