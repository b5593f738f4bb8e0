import { render } from 'preact';
import '../shared/style.css';
import './style.css';
import { isOffline, link, openLink, refresh, state } from './link.ts';
import { CapturePage } from './page.tsx';
import { openQueue, send } from './queue.ts';

const POLL_MS = 2000;

async function start(): Promise<void> {
  const root = document.getElementById('page');
  if (root) render(<CapturePage />, root);
  await openLink();
  await openQueue();
  // Another tab may have sent photos meanwhile.
  document.addEventListener('visibilitychange', () => link.value === 'open' && refresh());
  setInterval(async () => {
    const needsLook = isOffline.value || state.value === null || state.value.stage === 'inspecting';
    if (link.value === 'open' && needsLook) await refresh();
    void send();
  }, POLL_MS);
}

void start();
