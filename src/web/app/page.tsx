import type { ComponentChildren, ComponentProps } from 'preact';
import type { Page } from '../review/page.tsx';
import { can, linkSession, readSession, session, signOut } from '../shared/api.ts';
import { Problem } from './components.tsx';
import { Inspection } from './inspection.tsx';
import { Inspections } from './inspections.tsx';
import { Keys } from './keys/keys.tsx';
import { discardDraft, NewInspection } from './new/new-inspection.tsx';
import { useLoaded } from './requests.ts';
import { path } from './router.ts';
import { SignIn } from './sign-in.tsx';

export function App() {
  if (linkSession.value !== null) return <Review key={linkSession.value.id} {...linkSession.value} />;
  if (session.value === 'opening') return <main class="view">Opening…</main>;
  if (session.value === null) return <SignIn />;
  const [section = '', id = '', subpage = ''] = path.value.split('/');
  if (section === 'inspections' && subpage === 'review') return <Review key={id} id={id} />;
  return (
    <>
      <Header section={section} />
      <main class="view">{chooseView(section, id)}</main>
    </>
  );
}

/** Renders the review page, which is loaded on demand because it is half of all scripts. */
function Review(props: ComponentProps<typeof Page>) {
  const { value, problem } = useLoaded(() => import('../review/page.tsx'), 'review page');
  if (value !== null) return <value.Page {...props} />;
  if (problem === null) return <main class="view">Opening…</main>;
  return (
    <main class="view">
      <Problem>The script of the review did not arrive. Check the connection.</Problem>
      <button type="button" onClick={() => location.reload()}>
        Load again
      </button>
    </main>
  );
}

function chooseView(section: string, id: string): ComponentChildren {
  if (section === 'new') return <NewInspection />;
  if (section === 'inspections' && id !== '') return <Inspection key={id} id={id} />;
  if (section === 'keys') return <Keys />;
  return <Inspections />;
}

function Header({ section }: { readonly section: string }) {
  const { name, environment } = readSession();
  const links = [
    ['inspections', 'Inspections'],
    ...(can('inspections:write') ? [['new', 'New inspection'] as const] : []),
    ['keys', 'API keys'],
  ] as const;
  return (
    <header class="top">
      <p class="brand">vehi</p>
      <nav aria-label="Main">
        {links.map(([target, label]) => (
          <a
            key={target}
            href={`#/${target}`}
            aria-current={(section || 'inspections') === target ? 'page' : undefined}
          >
            {label}
          </a>
        ))}
      </nav>
      <p class="who">
        {name} {environment === 'sandbox' ? <span class="tag">sandbox</span> : null}
      </p>
      <button type="button" onClick={() => void signOut().then(discardDraft)}>
        Sign out
      </button>
    </header>
  );
}
