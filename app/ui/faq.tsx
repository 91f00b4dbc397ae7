import type { LocalisedRichText, LocalisedText } from '#app/lib/localised-text.ts'
import { Icon } from './icon.tsx'
import { RichBlocks } from './RichBlocks.tsx'
import { Text } from './text.tsx'

interface FaqProps {
  items: readonly { question: LocalisedText; answer: LocalisedRichText }[]
  /** Adds the reader's language to a link of the site. */
  href: (to: string) => string
}

/** Questions that expand to their answers, without any script. */
export const Faq = ({ items, href }: FaqProps) => (
  <div className="faq">
    {items.map(({ question, answer }) => (
      <details key={question.text}>
        <summary>
          <Text words={question} />
          <Icon name="chevron-down" />
        </summary>
        <RichBlocks blocks={answer.blocks} level={3} href={href} {...(answer.lang ? { lang: answer.lang } : {})} />
      </details>
    ))}
  </div>
)
