import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { StatNumbers } from '#app/ui/stat-numbers.tsx'
import type { BlockProps } from '../../block-parts.tsx'

export function Counters({ block }: BlockProps<'counters'>) {
  const { t } = useTranslation('participant')
  const format = useFormat()
  return (
    <section className="section" aria-label={t('home.numbers')}>
      <div className="wrap">
        <StatNumbers
          items={block.counters
            .map((name) => ({ name, value: block.data.values[name] }))
            .filter(({ value }) => value > 0)
            .map(({ name, value }) => ({ value: format.number(value), label: t(`home.counters.${name}`, { count: value }) }))}
        />
      </div>
    </section>
  )
}
