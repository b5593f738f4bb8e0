import { useEffect, useState } from 'preact/hooks';
import { useDoor } from '../review/door.ts';
import { Page } from '../review/page.tsx';
import { start } from '../review/store.ts';
import { createServiceDoor } from './review-door.ts';

/** Renders the page of a review, over the service. */
export function ReviewView({ id }: { readonly id: string }) {
  // Before the page is drawn, which asks the door.
  useState(() => {
    useDoor(createServiceDoor(id));
    void start();
  });
  useEffect(() => {
    document.title = 'Review · vehi';
  }, []);
  return <Page />;
}
