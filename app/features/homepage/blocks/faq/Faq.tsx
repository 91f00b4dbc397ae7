import { useTranslation } from 'react-i18next'
import { parseLocalised } from '#app/lib/rich-text.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Faq as Questions } from '#app/ui/faq.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function Faq({ block }: BlockProps<'faq'>) {
  const { t } = useTranslation('participant')
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.faq')}>
      <Questions
        items={block.questions
          .filter(({ question }) => question.text)
          .map(({ question, answer }) => ({ question, answer: parseLocalised(answer) }))}
        href={toLocalHref}
      />
    </BlockSection>
  )
}
