// JSON-RPC 2.0, one object per line: each request is answered by `call(method, params)`.

/** An error with a code, which reaches whoever asked. */
export function insist(condition, code, message) {
  if (!condition) throw Object.assign(new Error(message), { code });
}

/** The reply to one line. */
export function answer(call, line) {
  let id = null;
  try {
    const request = JSON.parse(line);
    insist(typeof request?.method === "string", -32600, "not a request");
    id = request.id ?? null;
    return { jsonrpc: "2.0", id, result: call(request.method, request.params ?? {}) };
  } catch (error) {
    const code = error instanceof SyntaxError ? -32700 : (error.code ?? -32603);
    return { jsonrpc: "2.0", id, error: { code, message: error.message } };
  }
}

/** Answers every line of the input, in order, until it ends. */
export function listen(call, input = process.stdin, output = process.stdout) {
  let rest = "";
  input.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) output.write(`${JSON.stringify(answer(call, line))}\n`);
  });
}
