import { useEffect, useState } from 'preact/hooks';
import { Page } from '../review/page.tsx';
import { reviewInspection } from '../review/review-api.ts';
import { openReview, refuse } from '../review/store.ts';

/** Renders the review page. @param refused why the page cannot review */
export function ReviewView({ id, refused }: { readonly id: string; readonly refused?: string }) {
  // Runs before the first render, because rendering sends requests.
  useState(() => {
    reviewInspection(id);
    if (refused === undefined) void openReview();
    else refuse(refused);
  });
  useEffect(() => {
    document.title = 'Review · vehi';
  }, []);
  return <Page />;
}
