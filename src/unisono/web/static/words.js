// Numbers and names in the same format as on the command line (results/wording.py).

const MISSING = "–";

/** A fixed number of decimals; halves go to the even digit, as in Python. */
export function decimals(value, places = 4) {
  if (value == null || Number.isNaN(value)) return MISSING;
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (Math.abs(value) >= 1e6) return large(value, Math.max(places, 1));
  const text = fixed(value, places);
  return Number(text) === 0 && text.startsWith("-") ? text.slice(1) : text;
}

/** A position on the continuum, without trailing zeros. */
export function position(value) {
  if (value !== 0 && !(Math.abs(value) >= 1e-3 && Math.abs(value) < 1e15)) {
    return String(Number(value.toPrecision(6)));
  }
  const text = withoutZeros(fixed(value, 4));
  return text === "-0" ? "0" : text;
}

export const whole = (number) => number.toLocaleString("en-US");

export const count = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;

/** The remaining time, rounded. */
export function timeLeft(seconds) {
  if (seconds == null || !Number.isFinite(seconds)) return "";
  if (seconds < 1.5) return "about a second left";
  if (seconds < 60) return `about ${Math.round(seconds)} s left`;
  if (seconds < 5400) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${decimals(seconds / 3600, 1)} h left`;
}

export const sizeOf = (bytes) =>
  bytes < 1e3
    ? count(bytes, "byte")
    : bytes < 1e6
      ? `${decimals(bytes / 1e3, 0)} kB`
      : `${decimals(bytes / 1e6, 1)} MB`;

function fixed(value, places) {
  // A number ends in an exact half only where it is an odd multiple of 2^-(places + 1).
  const halves = value * 2 ** (places + 1);
  if (!Number.isInteger(halves) || halves % 2 === 0) return value.toFixed(places);
  const scaled = value * 10 ** places;
  const below = Math.floor(scaled);
  return ((below % 2 === 0 ? below : below + 1) / 10 ** places).toFixed(places);
}

/** The text of a number with decimals, without the zeros at its end. */
function withoutZeros(text) {
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

function large(value, digits) {
  const [mantissa, power] = value.toExponential(digits - 1).split("e");
  const exponent = Number(power);
  if (exponent < digits) return String(Number(value.toPrecision(digits)));
  const short = mantissa.includes(".") ? withoutZeros(mantissa) : mantissa;
  return `${short}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
