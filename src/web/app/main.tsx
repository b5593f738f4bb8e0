import { render } from 'preact';
import '../shared/style.css';
import './style.css';
import { openSession } from './api.ts';
import { App } from './page.tsx';

const root = document.getElementById('page');
if (root) render(<App />, root);
void openSession();
