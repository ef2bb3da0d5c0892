'use strict';

const outcome = document.getElementById('outcome');

customElements.define('order-tax', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({mode: 'open'});
    root.innerHTML = '<button>Show tax</button> <span></span>';
    root.querySelector('button').addEventListener('click', () => {
      root.querySelector('span').textContent = 'Tax included: 7.98 €';
    });
  }
});

document.getElementById('load').addEventListener('click', async () => {
  const list = document.getElementById('history');
  list.replaceChildren();
  for (const line of await (await fetch('/history')).json()) {
    list.append(Object.assign(document.createElement('li'), {textContent: line}));
  }
});

document.getElementById('archive').addEventListener('click', () => {
  outcome.textContent = confirm('Archive order 1003?') ? 'Order 1003 is archived.' : 'Order 1003 was kept.';
});

document.getElementById('pay').addEventListener('click', async () => {
  const answer = await fetch('/pay', {method: 'POST'});
  outcome.textContent = answer.ok ? 'Invoice 7731 is paid.' : 'Invoice 7731 could not be paid.';
});
