import { useTranslation } from 'react-i18next'
import { localHref } from '#app/shell/language-rewrite.ts'
import { Icon } from '#app/ui/icon.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function Faq({ block }: BlockProps<'faq'>) {
  const { t } = useTranslation('participant')
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.faq')}>
      <div className="faq">
        {block.questions
          .filter(({ question }) => question.text)
          .map(({ id, question, answer }) => (
            <details key={id}>
              <summary>
                <Text words={question} />
                <Icon name="chevron-down" />
              </summary>
              <RichText text={answer.text} level={3} href={localHref} {...(answer.lang ? { lang: answer.lang } : {})} />
            </details>
          ))}
      </div>
    </BlockSection>
  )
}
