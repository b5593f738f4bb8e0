/** Returns the handler of a form that runs `run` in place of what the browser does with it. */
export const onSubmit = (run: (form: HTMLFormElement) => unknown) => (event: Event) => {
  event.preventDefault();
  run(event.currentTarget as HTMLFormElement);
};
