import { signIn, signOutReason } from '../shared/api.ts';
import { onSubmit } from '../shared/forms.ts';
import { Problem, Title } from './components.tsx';
import { useAction } from './requests.ts';

export function SignIn() {
  const work = useAction();
  return (
    <main class="view narrow">
      <p class="product">
        <strong>vehi</strong> inspects photos of a vehicle: damage, condition, price of the repair.
      </p>
      <Title>Sign in</Title>
      <Problem>{signOutReason.value}</Problem>
      <form onSubmit={onSubmit((form) => work.run(() => signIn(form.key.value.trim())))}>
        <label>
          API key
          <input type="password" name="key" autocomplete="current-password" required />
        </label>
        <div class="soft">
          <p>This page does not keep it. Where it comes from:</p>
          <ul>
            <li>
              from whoever runs this service: <code>vehi admin keys create</code> shows one once
            </li>
            <li>
              on your own machine: <code>vehi serve --sandbox</code> prints one as <code>api_key</code>
            </li>
            <li>from somebody who is signed in, under API keys</li>
          </ul>
        </div>
        <Problem>{work.problem}</Problem>
        <button type="submit" class="main" disabled={work.isRunning}>
          {work.isRunning ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
    </main>
  );
}
