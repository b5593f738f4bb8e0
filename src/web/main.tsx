import { render } from 'preact';
import { Page } from './review/page.tsx';
import { start } from './review/store.ts';
import './shared/style.css';

const root = document.getElementById('page');
if (root) render(<Page />, root);
void start();
