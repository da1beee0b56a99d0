import arrowLeft from 'lucide-static/icons/arrow-left.svg?raw';
import chevronLeft from 'lucide-static/icons/chevron-left.svg?raw';
import chevronRight from 'lucide-static/icons/chevron-right.svg?raw';
import plus from 'lucide-static/icons/plus.svg?raw';
import trash from 'lucide-static/icons/trash-2.svg?raw';
import x from 'lucide-static/icons/x.svg?raw';

const ICONS = { arrowLeft, chevronLeft, chevronRight, plus, trash, x } as const;

/** A drawing beside a text or in a button that has a name. */
export function Icon({ name }: { readonly name: keyof typeof ICONS }) {
  // The drawings are files of a package, not what anybody wrote.
  return <span class="icon" aria-hidden="true" dangerouslySetInnerHTML={{ __html: ICONS[name] }} />;
}
