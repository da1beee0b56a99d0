/**
 * Paths of lucide-static 1.62 (https://lucide.dev, ISC licence), on a grid of 24. The package holds thousands of icons in 67 MB, so
 * those that the page shows are copied.
 */
const ICONS = {
  arrowLeft: 'm12 19-7-7 7-7M19 12H5',
  chevronLeft: 'm15 18-6-6 6-6',
  chevronRight: 'm9 18 6-6-6-6',
  plus: 'M5 12h14M12 5v14',
  trash:
    'M10 11v6M14 11v6M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M3 6h18M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2',
  x: 'M18 6 6 18M6 6l12 12',
} as const;

/** A drawing beside a text or in a button that has a name. */
export function Icon({ name }: { readonly name: keyof typeof ICONS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}
