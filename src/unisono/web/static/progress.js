// The progress of a job: its state, the estimated remaining time, and a button to cancel it.

import { byId, fill, h } from "./elements.js";
import { timeLeft, whole } from "./words.js";

const PATIENCE_MS = 250;
const PHASES = {
  sending: "Sending",
  waiting: "Waiting",
  reading: "Reading",
  measuring: "Measuring",
  writing: "Writing",
};

export class Progress {
  constructor(stop) {
    this.bar = h("progress", { "aria-label": "Progress", max: "1" });
    this.words = h("p", { class: "progress-words", role: "status" });
    this.button = h("button", { type: "button", class: "small", onclick: stop }, "Stop");
    this.root = byId("progress");
    fill(this.root, h("div", { class: "progress-line" }, this.words, this.button), this.bar);
  }

  /** Start; short jobs end before the progress is shown. */
  begin(title, phase = "waiting") {
    this.end();
    this.title = title;
    this.update({ progress: { phase } });
    this.timer = setTimeout(() => {
      this.root.hidden = false;
    }, PATIENCE_MS);
    document.body.classList.add("busy");
  }

  update(job) {
    const {
      phase = "waiting",
      done = 0,
      total = 0,
      seconds_left: left = null,
    } = job?.progress ?? {};
    if (total > 0) this.bar.value = Math.min(1, done / total);
    else this.bar.removeAttribute("value");
    this.words.textContent = [
      job?.state === "busy"
        ? "The service is busy, trying again"
        : `${PHASES[phase] ?? phase} ${phase === "waiting" ? "" : this.title}`.trim(),
      job?.state === "queued" && job.ahead > 0 ? `${whole(job.ahead)} ahead in the queue` : "",
      total > 1 ? `${whole(done)} of ${whole(total)}` : "",
      total > 0 && done > 0 ? timeLeft(left) : "",
    ]
      .filter(Boolean)
      .join(" · ");
  }

  end() {
    clearTimeout(this.timer);
    this.root.hidden = true;
    document.body.classList.remove("busy");
  }
}
