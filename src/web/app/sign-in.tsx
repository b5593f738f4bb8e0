import { useState } from 'preact/hooks';
import { signedOut, signIn } from './api.ts';
import { Problem, Title, useWork } from './parts.tsx';

/** Renders the form to sign in with an API key. */
export function SignIn() {
  const [key, setKey] = useState('');
  const work = useWork();
  return (
    <main class="view narrow">
      <Title>Sign in</Title>
      {signedOut.value ? <Problem>{signedOut.value}</Problem> : null}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          work.run(() => signIn(key.trim()));
        }}
      >
        <label>
          API key
          <input
            type="password"
            autocomplete="current-password"
            required
            value={key}
            onInput={({ currentTarget }) => setKey(currentTarget.value)}
          />
        </label>
        <p class="soft">
          The key of your account, as made by vehi admin keys create or on this page under Settings, API Keys.
          It is not kept in the browser.
        </p>
        <Problem>{work.problem}</Problem>
        <button type="submit" class="main" disabled={work.busy}>
          {work.busy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
