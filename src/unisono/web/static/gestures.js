// Pointer, wheel, pinch and keyboard input on a drawing, as changes of its viewport.

const PAN_KEY = 0.15;
const ZOOM_KEY = 1.5;

/**
 * Listen on an element. `where` has `place(x)` (pixels to places), `inner()` (the width in pixels
 * that shows the view), and the calls `hover`, `leave`, `choose` and `hint`.
 */
export function gestures(element, view, where) {
  const pointers = new Map();
  let moved = 0;
  let pinch = 0;

  const at = (event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, at(event));
    if (pointers.size === 1) moved = 0;
    pinch = gapOf(pointers);
    element.setPointerCapture(event.pointerId);
  });

  element.addEventListener("pointermove", (event) => {
    const now = at(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") where.hover(...now);
      return;
    }
    pointers.set(event.pointerId, now);
    if (pointers.size === 2) {
      const gap = gapOf(pointers);
      const [[a], [b]] = pointers.values();
      if (pinch > 0 && gap > 0) view().zoom(gap / pinch, where.place((a + b) / 2));
      pinch = gap;
      moved = Infinity;
    } else if (pointers.size === 1) {
      moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
      if (moved > 4) {
        element.classList.add("moving");
        where.leave();
        view().pan((before[0] - now[0]) / where.inner());
      }
    }
  });

  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    pinch = gapOf(pointers);
    element.classList.remove("moving");
    if (event.type === "pointerup" && pointers.size === 0 && moved <= 4) where.choose(...at(event));
  };
  element.addEventListener("pointerup", release);
  element.addEventListener("pointercancel", release);
  element.addEventListener("pointerleave", () => where.leave());
  element.addEventListener("dblclick", (event) => view().zoom(2, where.place(at(event)[0])));

  element.addEventListener(
    "wheel",
    (event) => {
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      const zooms = event.ctrlKey || event.metaKey || document.activeElement === element;
      if (sideways) {
        event.preventDefault();
        view().pan(pixels(event, event.deltaX || event.deltaY) / where.inner());
      } else if (zooms) {
        event.preventDefault();
        view().zoom(Math.exp(-pixels(event, event.deltaY) * 0.0022), where.place(at(event)[0]));
      } else {
        // The page keeps scrolling, and a hint explains how to zoom.
        where.hint();
      }
    },
    { passive: false },
  );

  element.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = {
      ArrowLeft: () => view().pan(-PAN_KEY),
      ArrowRight: () => view().pan(PAN_KEY),
      "+": () => view().zoom(ZOOM_KEY),
      "=": () => view().zoom(ZOOM_KEY),
      "-": () => view().zoom(1 / ZOOM_KEY),
      0: () => view().fit(),
      Home: () => view().pan(-1e9),
      End: () => view().pan(1e9),
      n: () => where.step(1),
      p: () => where.step(-1),
      ArrowDown: () => where.stepUnit(1),
      ArrowUp: () => where.stepUnit(-1),
      Escape: () => where.clear(),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function gapOf(pointers) {
  if (pointers.size !== 2) return 0;
  const [[ax, ay], [bx, by]] = pointers.values();
  return Math.hypot(ax - bx, ay - by);
}

function pixels(event, amount) {
  return event.deltaMode === 1 ? amount * 16 : event.deltaMode === 2 ? amount * 400 : amount;
}
