import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { COMMANDS } from './commands.ts';
import { type Command, describeKey, SHORTCUTS } from './keys.ts';
import { closeDialog } from './state.ts';

export function CommandButton(props: {
  readonly command: Command;
  readonly children: ComponentChildren;
  readonly isPressed?: boolean;
  readonly disabled?: boolean;
  readonly kind?: string;
}) {
  const { command, children, isPressed, disabled, kind = 'plain' } = props;
  const { words, keys } = SHORTCUTS[command];
  const [key] = keys;
  return (
    <button
      type="button"
      class={kind}
      data-command={command}
      title={words}
      aria-pressed={isPressed}
      aria-keyshortcuts={key.replace('Ctrl', 'Control').replace(/\+$/, 'Plus')}
      disabled={disabled}
      onClick={COMMANDS[command]}
    >
      <span>{children}</span>
      <Key>{describeKey(key)}</Key>
    </button>
  );
}

/** Renders a keyboard shortcut on a button; screen readers use the button's own attributes instead. */
export function Key({ children }: { readonly children: ComponentChildren }) {
  // biome-ignore lint/a11y/noAriaHiddenOnFocusable: this element cannot be focused
  return <kbd aria-hidden="true">{children}</kbd>;
}

/** Renders a dialog that is open while mounted; Escape and the button close it. */
export function Dialog(props: {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose?: () => void;
  readonly children: ComponentChildren;
}) {
  const { title, onClose = closeDialog, isWide = false, children } = props;
  const ref = useRef<HTMLDialogElement>(null);
  // Opened in a layout effect, so the next key press already goes to the dialog.
  useLayoutEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    // Closing returns the focus to the element that had it.
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      class={isWide ? 'wide' : ''}
      aria-label={title}
      onClose={({ currentTarget }) => currentTarget.isConnected && onClose()}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header>
        <h2>{title}</h2>
        <button type="button" class="close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
