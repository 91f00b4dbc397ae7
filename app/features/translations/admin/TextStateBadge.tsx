import { useTranslation } from 'react-i18next'
import { Badge } from '#app/ui/admin/badge.tsx'
import type { TextState } from '../translations.schema.ts'

const TONES = { missing: 'bad', stale: 'warn', machine: 'info', done: 'ok' } as const

export function TextStateBadge({ state }: { state: TextState }) {
  const { t } = useTranslation('translations')
  return <Badge tone={TONES[state]}>{t(`states.${state}`)}</Badge>
}
