// The visible part of the continuum.

const MOST_ZOOM = 50_000;
const GLIDE_MS = 220;

export class Viewport {
  constructor(extent, changed) {
    const margin = (extent[1] - extent[0]) * 0.012;
    this.whole = [extent[0] - margin, extent[1] + margin];
    this.changed = changed;
    [this.low, this.high] = this.whole;
  }

  get span() {
    return this.high - this.low;
  }

  get zoomed() {
    return this.span < (this.whole[1] - this.whole[0]) * 0.9999;
  }

  set(low, high) {
    const all = this.whole[1] - this.whole[0];
    const span = Math.min(Math.max(high - low, all / MOST_ZOOM), all);
    const middle = (low + high) / 2;
    let from = high - low === span ? low : middle - span / 2;
    from = Math.min(Math.max(from, this.whole[0]), this.whole[1] - span);
    this.low = from;
    this.high = from + span;
    this.changed();
  }

  /** Zoom by a factor around a fixed position. */
  zoom(factor, at = (this.low + this.high) / 2) {
    this.stop();
    this.set(at - (at - this.low) / factor, at + (this.high - at) / factor);
  }

  /** Move by a share of the visible part. */
  pan(share) {
    this.stop();
    const step = share * this.span;
    this.set(this.low + step, this.high + step);
  }

  fit() {
    this.glide(...this.whole);
  }

  /** Bring a range into view, with a margin. */
  show(low, high) {
    const around = Math.max((high - low) * 1.2, (this.whole[1] - this.whole[0]) / 60);
    const span = high - low + 2 * around;
    // A range that is already large enough is only centred.
    const keep = this.span > span && this.span < span * 4 ? this.span : span;
    const middle = (low + high) / 2;
    this.glide(middle - keep / 2, middle + keep / 2);
  }

  glide(low, high) {
    this.stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.set(low, high);
    const [from, until] = [this.low, this.high];
    const began = performance.now();
    const step = (now) => {
      const share = Math.min(1, Math.max(0, now - began) / GLIDE_MS);
      const eased = 1 - (1 - share) ** 3;
      this.set(from + (low - from) * eased, until + (high - until) * eased);
      this.gliding = share < 1 ? requestAnimationFrame(step) : 0;
    };
    this.gliding = requestAnimationFrame(step);
    return undefined;
  }

  stop() {
    if (this.gliding) cancelAnimationFrame(this.gliding);
    this.gliding = 0;
  }
}
