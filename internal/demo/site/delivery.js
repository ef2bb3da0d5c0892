'use strict';

document.getElementById('delivery').addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  await fetch('/note', {method: 'POST', body: new URLSearchParams(new FormData(form))});
  form.querySelector('[role=status]').textContent = 'Note saved.';
});
