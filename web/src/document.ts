// The scripts that use these styles come with code, so that their links stand before those of views, which override them.
import './styles/base.css';
import './styles/views.css';
import './styles/shell.css';

/** Addresses of the document are relative to where it was opened, and other views lie elsewhere. */
export function fixLinks(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[href]'))
    link.href = new URL(link.href).href;
}
