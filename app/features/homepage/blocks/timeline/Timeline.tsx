import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { KeyDates } from '#app/ui/key-dates.tsx'
import { Text } from '#app/ui/text.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function Timeline({ block }: BlockProps<'timeline'>) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  const { now } = block.data
  return (
    <BlockSection id={block.id} title={block.title} fallback={t('home.timeline')}>
      <KeyDates
        dates={block.steps
          .filter((step) => step.title.text)
          .map((step) => {
            // A calendar day without a time zone: noon UTC falls on the same day in every city's zone.
            const at = `${step.day}T12:00:00Z`
            const isPast = step.day !== '' && step.day < now.slice(0, 10)
            return {
              date: step.day || step.id,
              shown: step.day ? format.date(at) : '',
              state: isPast ? 'past' : 'upcoming',
              ...(isPast ? { stateLabel: t('home.past') } : {}),
              label: (
                <>
                  <Text words={step.title} />
                  {step.text.text && (
                    <span className="timeline-text">
                      <Text words={step.text} />
                    </span>
                  )}
                </>
              ),
            }
          })}
      />
    </BlockSection>
  )
}
