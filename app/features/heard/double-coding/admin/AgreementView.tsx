import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { NumberInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Theme } from '../../admin/EditTheme.tsx'
import { doubleCodingQuery, forgetHeard, themesQuery } from '../../heard.queries.ts'
import { settleCode } from '../coding-samples.functions.ts'
import { type Agreement, type DoubleCoding, roundAlpha, SAMPLE_SIZE, type SampleView } from '../coding-samples.schema.ts'
import { DisagreedTexts } from './DisagreedTexts.tsx'

interface AgreementViewProps {
  project: string
  source: string
  /** Reads one's own sample. */
  onRead: (sample: string) => void
}

/** How well two people agree who sorted the same texts, and what they sorted differently. */
export function AgreementView({ project, source, onRead }: AgreementViewProps) {
  const { data } = useSuspenseQuery(doubleCodingQuery(project, source))
  const { data: themes } = useSuspenseQuery(themesQuery(project))
  const { settle, isBusy } = useSettling()
  return (
    <div className="admin-stack">
      <Samples project={project} source={source} data={data} onRead={onRead} />
      <AgreementFigures agreement={data.agreement} themes={themes.data} />
      {data.texts.length > 0 && (
        <DisagreedTexts texts={data.texts} themes={themes.data} isBusy={isBusy} onSettle={(...chosen) => void settle(...chosen)} />
      )}
    </div>
  )
}

/** One act at a time; what it changed is read again. */
function useSettling() {
  const queryClient = useQueryClient()
  const { describeError } = useFaultTexts()
  const [isBusy, setBusy] = useState(false)
  const settle = async (text: string, theme: string, isAgreed: boolean) => {
    if (isBusy) return
    setBusy(true)
    try {
      await settleCode({ data: { text, theme, isAgreed } })
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
    } finally {
      await forgetHeard(queryClient)
      setBusy(false)
    }
  }
  return { settle, isBusy }
}

function Samples({ project, source, data, onRead }: AgreementViewProps & { data: DoubleCoding }) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  const open = data.samples.find(({ isMine, read, texts }) => isMine && read < texts)
  return (
    <section className="admin-panel admin-stack" aria-labelledby="samples-heading">
      <h2 id="samples-heading">{t('agreement.samples')}</h2>
      <p>{t('agreement.text')}</p>
      {data.samples.length > 0 && (
        <ul className="coding-passages">
          {data.samples.map((sample) => (
            <li key={sample.id}>
              <SampleLine sample={sample} />
            </li>
          ))}
        </ul>
      )}
      {open ? (
        <div className="row">
          <Button onClick={() => onRead(open.id)}>{t(open.read > 0 ? 'agreement.go-on' : 'agreement.begin')}</Button>
        </div>
      ) : data.drawable > 0 ? (
        <DrawForm project={project} source={source} drawable={data.drawable} onRead={onRead} />
      ) : (
        <p className="meta">{t('agreement.nothing-to-draw')}</p>
      )}
      {data.drawable > 0 && !open && (
        <p className="meta">{t('agreement.drawable', { count: data.drawable, number: format.number(data.drawable) })}</p>
      )}
    </section>
  )
}

function SampleLine({ sample: { coder, createdAt, read, texts, drawnFrom, seed, language } }: { sample: SampleView }) {
  const { t } = useTranslation('heard-admin')
  const format = useFormat()
  return (
    <span>
      <strong>{coder ?? t('agreement.someone')}</strong>
      {' · '}
      {t('read.progress', { count: texts, read: format.number(read), total: format.number(texts) })}
      <br />
      <small className="meta">
        {t('agreement.drawn', { date: format.date(createdAt), from: format.number(drawnFrom), seed })}
        {language && ` · ${getLanguageName(language)}`}
      </small>
    </span>
  )
}

function DrawForm({ project, source, drawable, onRead }: AgreementViewProps & { drawable: number }) {
  const { t } = useTranslation('heard-admin')
  const queryClient = useQueryClient()
  const [size, setSize] = useState<number | undefined>(SAMPLE_SIZE.default)
  const draw = useMutation({
    mutationFn: () =>
      api.create('coding-samples', {
        attributes: { source, ...(size !== undefined && { size }) },
        relationships: { project: { type: 'projects', id: project } },
      }),
    onSuccess: async ({ data }) => {
      await forgetHeard(queryClient)
      onRead(data.id)
    },
  })
  const { faults, messageOf } = useEditorTexts(draw.error)
  return (
    <form
      className="admin-stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (!draw.isPending) draw.mutate()
      }}
    >
      {faults
        .filter(({ message }) => message !== messageOf('size'))
        .map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
      <NumberInput
        name="size"
        label={t('agreement.size')}
        hint={drawable < SAMPLE_SIZE.default ? t('agreement.size-hint') : undefined}
        value={size}
        onChange={setSize}
        min={SAMPLE_SIZE.min}
        max={SAMPLE_SIZE.max}
        error={messageOf('size')}
      />
      <div className="row">
        <Button type="submit" pending={draw.isPending}>
          {t('agreement.draw')}
        </Button>
      </div>
    </form>
  )
}

function AgreementFigures({ agreement, themes }: { agreement: Agreement; themes: readonly Theme[] }) {
  const { t } = useTranslation('heard-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const toFigure = (alpha: number | null) => (alpha === null ? t('agreement.no-figure') : format.number(roundAlpha(alpha)))
  const byId = new Map(themes.map((theme) => [theme.id, theme]))
  const texts = t('agreement.texts', { count: agreement.texts, number: format.number(agreement.texts) })
  return (
    <section className="admin-stack" aria-labelledby="agreement-heading">
      <h2 id="agreement-heading">{t('agreement.figures')}</h2>
      {agreement.needed > 0 ? (
        <EmptyState title={texts} level={3}>
          {t('agreement.needed', { count: agreement.needed, number: format.number(agreement.needed) })}
        </EmptyState>
      ) : (
        <>
          <p className="coding-agreement">
            <strong>{toFigure(agreement.alpha)}</strong> {t('agreement.overall')} · {texts}
          </p>
          <p className="meta">{t('agreement.how')}</p>
          <DataTable
            caption={t('agreement.by-theme')}
            rows={agreement.themes}
            rowKey={({ theme }) => theme}
            loadingLabel={common('loading')}
            empty={<EmptyState title={t('agreement.no-themes')} level={3} />}
            columns={[
              { id: 'theme', head: t('agreement.theme'), names: true, cell: ({ theme }) => byId.get(theme)?.title ?? '' },
              { id: 'alpha', head: t('agreement.alpha'), align: 'end', cell: ({ alpha }) => toFigure(alpha) },
              { id: 'both', head: t('agreement.both'), align: 'end', cell: ({ both }) => format.number(both) },
              { id: 'one', head: t('agreement.one'), align: 'end', cell: ({ one }) => format.number(one) },
            ]}
          />
        </>
      )}
    </section>
  )
}
