import { render } from 'preact';
import { useDoor } from './review/door.ts';
import { followReview } from './review/live/follow.ts';
import { Page } from './review/page.tsx';
import { start } from './review/store.ts';
import { COMMAND_DOOR } from './shared/api.ts';
import './shared/style.css';

useDoor(COMMAND_DOOR);
followReview();
const root = document.getElementById('page');
if (root) render(<Page />, root);
void start();
