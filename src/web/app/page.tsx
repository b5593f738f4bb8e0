import type { ComponentChildren } from 'preact';
import { linked, may, readSignedIn, session, signOut } from './api.ts';
import { Inspection } from './inspection/inspection.tsx';
import { Inspections } from './inspections.tsx';
import { Keys } from './keys.tsx';
import { NewInspection } from './new/new-inspection.tsx';
import { ReviewView } from './review-view.tsx';
import { path } from './router.ts';
import { SignIn } from './sign-in.tsx';

/** Renders the service's page. */
export function App() {
  if (linked.value !== null) return <ReviewView key={linked.value.id} {...linked.value} />;
  if (session.value === 'opening') return <main class="view">Opening…</main>;
  if (session.value === null) return <SignIn />;
  const [room = '', id = '', more = ''] = path.value.split('?')[0]?.split('/') ?? [];
  if (room === 'inspections' && more === 'review') return <ReviewView key={id} id={id} />;
  return (
    <>
      <Header room={room} />
      <main class="view">{chooseView(room, id)}</main>
    </>
  );
}

function chooseView(room: string, id: string): ComponentChildren {
  if (room === 'new') return <NewInspection />;
  if (room === 'inspections' && id !== '') return <Inspection key={id} id={id} />;
  if (room === 'keys') return <Keys />;
  return <Inspections />;
}

function Header({ room }: { readonly room: string }) {
  const { name, environment } = readSignedIn();
  const links = [
    ['', 'Inspections', ['', 'inspections']],
    ...(may('inspections:write') ? [['new', 'New inspection', ['new']] as const] : []),
    ['keys', 'API keys', ['keys']],
  ] as const;
  return (
    <header class="top">
      <p class="brand">vehi</p>
      <nav aria-label="Main">
        {links.map(([to, words, rooms]) => (
          <a
            key={to}
            href={`#/${to}`}
            aria-current={(rooms as readonly string[]).includes(room) ? 'page' : undefined}
          >
            {words}
          </a>
        ))}
      </nav>
      <p class="who">
        {name} {environment === 'sandbox' ? <span class="tag">sandbox</span> : null}
      </p>
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </header>
  );
}
