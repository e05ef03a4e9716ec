const show = (id, text) => { document.getElementById(id).textContent = text; };

try {
  const answer = await fetch('/readyz');
  const state = await answer.json();
  show('version', state.version);
  show('status', state.fault ? `${state.status}: the store reports ${state.fault}` : state.status);
  show('source', state.source ?? 'nowhere');
} catch {
  show('status', 'the server does not answer; start it with guardrails serve, and load this page again');
}
