import { type ComponentType, lazy, Suspense } from 'react'
import type { TranslatableView } from '../record/translations.schema.ts'
import type { TranslationControlProps } from './TranslationControl.tsx'

/** In the page from the start, as it works without JavaScript. Its script is loaded only where a text is in another language than the page. */
const TranslationControl: ComponentType<TranslationControlProps> = import.meta.env.SSR
  ? (await import('./TranslationControl.tsx')).default
  : lazy(() => import('./TranslationControl.tsx'))

interface TranslationProps extends Omit<TranslationControlProps, 'text'> {
  /** Undefined for a text that is in the page's language, or that cannot be translated. */
  text: TranslatableView | undefined
}

export const Translation = ({ text, ...props }: TranslationProps) =>
  text && (
    <Suspense>
      <TranslationControl {...props} text={text} />
    </Suspense>
  )
