import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Icon } from '../parts/icon.tsx';
import { setTo } from '../parts/signals.ts';
import { tell } from '../parts/toast.tsx';
import { locale, texts } from '../texts/texts.ts';

/** The part of the browser's recognition of speech that is used here; TypeScript does not have it. */
interface Recognition {
  lang: string;
  interimResults: boolean;
  onresult:
    | ((event: { readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>> }) => void)
    | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
}
type RecognitionClass = new () => Recognition;

function recognitionClass(): RecognitionClass | undefined {
  const all = globalThis as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return all.SpeechRecognition ?? all.webkitSpeechRecognition;
}

/** Writes what is spoken into a field, where the browser can. Some browsers send the speech to their maker. */
export function DictationButton({ onText }: { readonly onText: (text: string) => void }) {
  const listening = useSignal<Recognition | undefined>(undefined);
  const last = useRef<Recognition | undefined>(undefined);
  useEffect(() => () => last.current?.abort(), []);
  const Class = recognitionClass();
  if (Class === undefined) return null;
  const { dictate, dictationFailed } = texts.value;
  const begin = () => {
    const recognition = new Class();
    recognition.lang = locale.peek();
    recognition.interimResults = true;
    recognition.onresult = ({ results }) =>
      onText(Array.from(results, (each) => each[0]?.transcript ?? '').join(''));
    recognition.onerror = ({ error }) => {
      if (error !== 'aborted' && error !== 'no-speech') tell(dictationFailed);
    };
    recognition.onend = () => setTo(listening, undefined);
    last.current = recognition;
    listening.value = recognition;
    recognition.start();
  };
  const toggle = () => (listening.peek() === undefined ? begin() : listening.peek()!.abort());
  return (
    <button type="button" class="way" aria-pressed={listening.value !== undefined} onClick={toggle}>
      <Icon name="microphone" />
      {dictate}
    </button>
  );
}
