import { useQuery } from '@tanstack/react-query'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Spinner } from '#app/ui/loading.tsx'
import { portalSourceQuery } from '../connectors.queries.ts'

interface SourcePreviewProps {
  connector: string
  source: string
  taking: boolean
  onTake: () => void
}

/** A preview of a dataset in the portal, before it is copied. */
export function SourcePreview({ connector, source, taking, onTake }: SourcePreviewProps) {
  const { t } = useTranslation('city-admin')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const { listFaults } = useFaultTexts()
  const { data, error, isPending } = useQuery(portalSourceQuery(connector, source))
  if (isPending) return <Spinner label={common('loading')} />
  if (!data) return <ErrorSummary title={admin('editor.problem')} errors={listFaults(error)} />
  return (
    <>
      <p>
        <strong>{t('find.columns', { count: data.columns.length })}</strong>{' '}
        {data.columns.map(({ label, type }) => `${label} (${t(`types.${type}`)})`).join(', ')}
      </p>
      <div>
        <Button size="small" pending={taking} onClick={onTake}>
          {t('find.take')}
        </Button>
      </div>
    </>
  )
}
