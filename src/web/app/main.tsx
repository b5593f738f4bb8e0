import { render } from 'preact';
import 'virtual:severity.css';
import '../shared/style.css';
import './style.css';
import { openSession } from '../shared/api.ts';
import { App } from './page.tsx';

/** Hides a picture that fails to load, because browsers render the broken-image icon as large as the photo. */
function hideBrokenImage({ type, target }: Event): void {
  if (target instanceof SVGImageElement || target instanceof HTMLImageElement)
    target.style.visibility = type === 'error' ? 'hidden' : '';
}

const root = document.getElementById('page');
for (const type of ['error', 'load']) document.addEventListener(type, hideBrokenImage, { capture: true });
if (root) render(<App />, root);
void openSession();
