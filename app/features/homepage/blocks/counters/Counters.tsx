import { useTranslation } from 'react-i18next'
import type { PublicFigure } from '#app/lib/figure-definitions.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { StatNumbers } from '#app/ui/stat-numbers.tsx'
import type { BlockProps } from '../../block-parts.tsx'

const FIGURES = {
  answers: 'publicAnswers',
  decisions: 'decisions',
  open_projects: 'publicOpenProjects',
  people: 'projectPeople',
} as const satisfies Record<BlockProps<'counters'>['block']['counters'][number], PublicFigure>

export function Counters({ block }: BlockProps<'counters'>) {
  const { t } = useTranslation('participant')
  const { t: common } = useTranslation()
  const format = useFormat()
  return (
    <section className="section" aria-label={t('home.numbers')}>
      <div className="wrap">
        <StatNumbers
          items={block.counters
            .map((name) => ({ name, value: block.data.values[name] }))
            .filter(({ value }) => value > 0)
            .map(({ name, value }) => ({
              value: format.number(value),
              label: t(`home.counters.${name}`, { count: value }),
              means: common(`figures.${FIGURES[name]}.means`),
            }))}
        />
      </div>
    </section>
  )
}
