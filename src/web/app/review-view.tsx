import { useEffect, useState } from 'preact/hooks';
import { followReview } from '../review/live/follow.ts';
import { Page } from '../review/page.tsx';
import { reviewInspection } from '../review/review-api.ts';
import { refuse, start } from '../review/store.ts';
import { linked } from './api.ts';

/** Renders the page of a review. @param refused why the page may not review */
export function ReviewView({ id, refused }: { readonly id: string; readonly refused?: string }) {
  // Set before the page renders, since rendering sends requests.
  useState(() => {
    reviewInspection(id);
    if (linked.value !== null) followReview();
    if (refused === undefined) void start();
    else refuse(refused);
  });
  useEffect(() => {
    document.title = 'Review · vehi';
  }, []);
  return <Page />;
}
