// The page: which data, which settings, one job at a time, and where its outcome goes.

import { Problem, examples, forget, outcome, run, service, takeToken, upload } from "./api.js";
import { DataPanel, LEADS, SLOTS, TITLES, formValues, heldExample, pageOf } from "./data.js";
import { byId } from "./elements.js";
import { acceptDrops } from "./files.js";
import { frame, openSettings } from "./frame.js";
import { OutcomeView } from "./outcome_view.js";
import { readAddress, writeAddress } from "./permalink.js";
import { ProblemBox } from "./problem_box.js";
import { Progress } from "./progress.js";
import { measureOf, settingsOf } from "./request.js";
import { Settings } from "./settings.js";
import { count } from "./words.js";

const PAGES = ["units", "items", "compare"];

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
      took: (slot, files) => this.#take(slot, files),
      tookExample: (example) => this.#tryExample(example),
      cleared: (slot) => this.#clear(slot),
    });
  }

  async start() {
    takeToken();
    frame({ address: () => this.#address() });
    acceptDrops(document.body, (files) => this.#take(this.#freeSlot(), files));
    addEventListener("hashchange", () => this.#follow());
    this.#follow({ compute: false });
    try {
      [this.service, this.examples] = await Promise.all([service(), examples()]);
      byId("version").textContent = `unisono ${this.service.version}`;
      this.#panel();
      await this.#follow();
    } catch (error) {
      this.#problem(
        error.status === 401
          ? new Problem("this service needs a token: open its address with #token=TOKEN at the end")
          : error,
      );
    }
  }

  get state() {
    return this.pages[this.page];
  }

  /** Go where the address says. */
  async #follow({ compute = true } = {}) {
    const { page, given, known } = readAddress(PAGES);
    if (!known) return;
    const { example, ...values } = given;
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
    this.panel.show(this.page, this.state.held, this.examples, this.state.about);
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
      // What an example was read with is not for other data.
      if (this.state.example) this.state.settings.reset(this.state.exampleSettings ?? []);
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
    const page = pageOf(example);
    this.page = page;
    const wanted =
      page === "units"
        ? { measure: example.measures[0], ...formValues(example) }
        : formValues(example);
    if (wanted.measure === "gamma") delete wanted.measure;
    writeAddress(page, { example: example.name, ...wanted }, { entry: true });
    await this.#follow();
  }

  async #hold(example) {
    this.state.held = heldExample(example);
    this.state.exampleSettings = Object.keys(formValues(example));
    this.#fresh(example.name);
    await this.#compute();
  }

  #fresh(example) {
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
    const given = { ...(example ? { example } : {}), ...settings.given() };
    writeAddress(this.page, given);
    // The page's own link brings its settings back.
    byId("pages").querySelector(`[data-page="${this.page}"]`).href = location.hash;
    const [held] = Object.values(this.state.held);
    document.title = held ? `${held.title} – unisono` : "unisono";
  }

  #request() {
    const { held, settings } = this.state;
    const made = settingsOf(this.page, settings.values, (key) => settings.applies(key)) ?? {};
    if (this.page !== "compare") return { data: held.data.data, settings: made };
    if (!held.hypothesis) return { within: held.reference.data, settings: made };
    return { reference: held.reference.data, hypothesis: held.hypothesis.data, settings: made };
  }

  /** Compute what is asked for now; whatever was running is cancelled. */
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
    const measure = measureOf(page, this.state.settings.values);
    this.#problem(null);
    this.progress.begin(measure === "gamma" ? "γ" : "");
    this.view.outdate();
    const changed = (each) => this.progress.update(each);
    const working = run(measure, request, { signal, changed }).then((job) => outcome(job, signal));
    const describing =
      page === "units" ? soonAfter(working, () => this.#describe(request, signal)) : null;
    let measured = false;
    describing?.then((early) => {
      // What takes long leaves time to look at the annotations.
      const idle = !measured && !signal.aborted && this.view.annotations.section.hidden;
      if (early && idle) this.view.draw(early, { early: true, signal });
    });
    try {
      const out = await working;
      measured = true;
      this.progress.end();
      this.view.show(out, measure);
      const drawn = out.documents.length > 0 ? out : await describing;
      if (signal.aborted) return;
      await this.view.draw(drawn, { blocks: out.blocks, signal });
      const { title } = Object.values(this.state.held)[0];
      this.view.offer(out, { request, measure, service: this.service, title, signal });
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

  /** A reference without a hypothesis: say what it holds, for both may be in it. */
  async #await() {
    this.progress.end();
    const { held, settings } = this.state;
    if (this.page !== "compare" || !held.reference) return;
    const reading = settingsOf("compare", settings.values, (key) => settings.applies(key))?.reading;
    const found = await this.#describe(
      { data: held.reference.data, settings: { reading } },
      new AbortController().signal,
    );
    if (!found) return;
    settings.suggest(Object.keys(this.state.about?.annotators ?? {}));
  }

  /** Say what was understood of the files, beside the numbers; once for each way of reading. */
  async #describe(request, signal) {
    const { state } = this;
    state.describing ??= (async () => {
      state.about ??= { waiting: true };
      this.#panel();
      const settings = request.settings.reading ? { reading: request.settings.reading } : {};
      // Not cancelled by a changed weight: it stays true.
      const job = await run("describe", { data: request.data, settings });
      const out = await outcome(job);
      state.about = out.result;
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

  /** Ratings that were dropped among units are shown where they belong. */
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
    this.view.remark("These are ratings of given items, so they are shown here, under Items.");
    return true;
  }

  #stop() {
    this.running?.abort();
    this.progress.end();
    this.problem.stopped(() => this.#compute());
  }

  #problem(error) {
    if (error) this.problem.tell(error, { mendable: this.#ready() });
    else this.problem.clear();
  }

  #offerLayers() {
    const { about, settings } = this.state;
    if (settings.values.layer) return;
    const layers = Object.keys(about?.layers ?? {});
    this.problem.offerLayers(layers, (layer) => settings.choose("layer", layer));
  }

  #openReading() {
    openSettings(true);
    this.state.settings.openGroup("Reading");
  }
}

/** Begin something else when the work is done, or after a moment: the number comes first. */
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
