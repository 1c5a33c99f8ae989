// The HTTP API as functions: uploads, jobs and results.

const ROOT = "/api/v1/";
const TOKEN = "unisono-token";
const TRIES_WHEN_BUSY = 20;

/** An error with a message for users. */
export class Problem extends Error {
  constructor(
    detail,
    { status = 0, kind = "", errors = [], question = null, retryAfter = 0 } = {},
  ) {
    super(detail);
    Object.assign(this, { status, kind, errors, question, retryAfter });
  }
}

/** Remove the token from the address, so that a copied link does not contain it. */
export function takeToken() {
  const found = /^#token=([^&]+)&?/.exec(location.hash);
  if (!found) return;
  sessionStorage.setItem(TOKEN, decodeURIComponent(found[1]));
  history.replaceState(
    null,
    "",
    location.pathname +
      location.search +
      (location.hash.slice(found[0].length) ? `#${location.hash.slice(found[0].length)}` : ""),
  );
}

/** Send a request; a problem response is thrown as a Problem. */
export async function ask(path, { method = "GET", json, body, signal } = {}) {
  const headers = {};
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (method !== "GET") headers["X-Unisono"] = "1";
  if (json !== undefined) headers["Content-Type"] = "application/json";
  let answer;
  try {
    answer = await fetch(path.startsWith("/") ? path : ROOT + path, {
      method,
      headers,
      signal,
      body: json === undefined ? body : JSON.stringify(json),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("the service does not respond; is unisono serve still running?", {
      kind: "away",
    });
  }
  if (answer.ok) return answer;
  throw await problemOf(answer);
}

const plain = async (path, options) => (await ask(path, options)).json();

export const service = () => plain("service");
export const registry = () => plain("registry");
export const examples = async () => (await plain("examples")).examples;

/** Upload files; folders in their names may name annotators and documents. */
export async function upload(files, signal) {
  const form = new FormData();
  for (const { file, name } of files) form.append("files", file, name);
  return plain("data", { method: "POST", body: form, signal });
}

/** Delete an upload; if the service cannot be reached, it expires anyway. */
export function forget(data) {
  if (data && !data.startsWith("example:"))
    ask(`data/${data}`, { method: "DELETE" }).catch(() => {});
}

/**
 * Run a job to its end. `changed(job)` is called on progress; aborting the signal also cancels the
 * job on the service.
 */
export async function run(measure, request, { signal, changed = () => {} } = {}) {
  const job = await submit(measure, request, signal, changed);
  const cancel = () => {
    ask(`jobs/${job.id}`, { method: "DELETE" }).catch(() => {});
  };
  if (signal?.aborted) cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    throwIfAborted(signal);
    changed(job);
    const last = finished(job) ? job : await follow(job, signal, changed);
    throwIfAborted(signal);
    if (last.state === "failed") throw new Problem(last.problem.detail, last.problem);
    if (last.state === "cancelled")
      throw new Problem("the job was cancelled", { kind: "cancelled" });
    return last;
  } finally {
    signal?.removeEventListener("abort", cancel);
  }
}

/** The result of a finished job for display, and its documents. */
export async function outcome(job, signal) {
  const [sheet, documents] = await Promise.all([
    plain(`jobs/${job.id}/shown`, { signal }),
    job.links.documents ? plain(job.links.documents, { signal }) : { documents: [] },
  ]);
  return { job, sheet, documents: documents.documents };
}

export const drawing = (job, number, signal) =>
  plain(`jobs/${job.id}/documents/${number}`, { signal });
export const result = (job, signal) => plain(job.links.result, { signal });

/** A file of a job as a blob, because a plain link could not send the token. */
export async function file(job, name) {
  return (await ask(`jobs/${job.id}/files/${encodeURIComponent(name)}`)).blob();
}

async function submit(measure, request, signal, changed) {
  for (let tries = 0; ; tries++) {
    try {
      // Not abortable: without its id, a job could not be cancelled.
      return await plain(measure, { method: "POST", json: request });
    } catch (error) {
      if (error.status !== 429 || tries >= TRIES_WHEN_BUSY) throw error;
      changed({
        state: "busy",
        progress: { phase: "waiting", done: 0, total: 0, seconds_left: null },
      });
      await new Promise((resolve) => {
        setTimeout(resolve, 1000 * Math.max(1, error.retryAfter));
      });
      throwIfAborted(signal);
    }
  }
}

async function follow(job, signal, changed) {
  let last = job;
  try {
    const answer = await ask(job.links.events, { signal });
    for await (const message of messages(answer.body)) {
      last = message;
      changed(last);
      if (finished(last)) return last;
    }
  } catch (error) {
    if (error.name === "AbortError" || error.status) throw error;
  }
  // The stream was interrupted: poll instead.
  while (!finished(last)) {
    last = await plain(`${job.links.self}?wait=20`, { signal });
    changed(last);
  }
  return last;
}

async function* messages(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
      rest = parts.pop();
      for (const part of parts) {
        const data = part
          .split("\n")
          .filter((line) => line.startsWith("data:"))
          .map((line) => line.slice(5))
          .join("\n");
        if (data) yield JSON.parse(data);
      }
    }
  } finally {
    // The service closes the stream after the last message; aborting it would log an error.
    drain(reader).catch(() => {});
  }
}

async function drain(reader) {
  while (!(await reader.read()).done);
}

const finished = (job) => ["done", "failed", "cancelled"].includes(job.state);

function throwIfAborted(signal) {
  if (signal?.aborted) throw new DOMException("cancelled", "AbortError");
}

async function problemOf(answer) {
  const retryAfter = Number(answer.headers.get("Retry-After") ?? 0);
  try {
    const record = await answer.json();
    const { detail, title } = record;
    return new Problem(detail ?? title, { ...record, status: answer.status, retryAfter });
  } catch {
    return new Problem(`the service responded with status ${answer.status}`, {
      status: answer.status,
      retryAfter,
    });
  }
}
