// Pages tell the top one what they saw; tests read it there.
globalThis.seen = []
function saw(text) { if (parent === self) seen.push(text); else top.postMessage({ saw: text }, '*') }
if (parent === self) addEventListener('message', e => { if (e.data && e.data.saw) seen.push(e.data.saw) })
addEventListener('click', e => { const el = e.composedPath()[0]; saw(`click ${el.id || el.textContent.trim()} ${e.isTrusted}`) }, true)
addEventListener('input', e => { const el = e.composedPath()[0]; saw(`input ${el.id}=${el.type === 'checkbox' ? el.checked : el.value ?? el.textContent} ${e.isTrusted}`) }, true)
addEventListener('change', e => { const el = e.composedPath()[0]; saw(`change ${el.id}=${el.type === 'checkbox' ? el.checked : el.value}`) }, true)
