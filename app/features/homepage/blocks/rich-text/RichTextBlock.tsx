import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { RichText } from '#app/ui/RichText.tsx'
import type { BlockProps } from '../../block-parts.tsx'

export default function RichTextBlock({ block: { body } }: BlockProps<'rich_text'>) {
  return (
    <section className="section">
      <div className="wrap">
        <RichText text={body.text} href={toLocalHref} {...(body.lang ? { lang: body.lang } : {})} />
      </div>
    </section>
  )
}
