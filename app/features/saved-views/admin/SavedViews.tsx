import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { ConfirmDialog, Dialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Menu } from '#app/ui/admin/menu.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Icon } from '#app/ui/icon.tsx'
import type { SavedTable } from '../saved-views.schema.ts'
import { savedViewsQuery } from '../saved-views.queries.ts'

interface SavedViewsProps {
  table: SavedTable
  /** The survey whose responses the table shows. */
  survey?: string
  /** The table's current state, as `formatViewQuery` returns it. */
  shown: string
  /** Renders a link to a view of the table. */
  link: (query: string, children: ReactNode, attributes: { 'aria-current'?: 'true' }) => ReactNode
}

type Step = { do: 'save' } | { do: 'rename' | 'remove'; id: string; name: string }

/** The viewer's saved views of a table: links to them, and saving, renaming, updating and deleting. */
export function SavedViews({ table, survey, shown, link }: SavedViewsProps) {
  const { t } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const kept = useQuery(savedViewsQuery(table, survey)).data
  const views = kept?.data ?? []
  const [step, setStep] = useState<Step>()
  const [name, setName] = useState('')
  const openStep = (next: Step) => {
    act.reset()
    setName(next.do === 'rename' ? next.name : '')
    setStep(next)
  }
  const invalidateViews = () => queryClient.invalidateQueries({ queryKey: savedViewsQuery(table, survey).queryKey })
  const act = useMutation({
    mutationFn: async (what: Step | { do: 'replace'; id: string }) => {
      if (what.do === 'remove') return api.remove('saved-views', what.id)
      if (what.do === 'rename') return void (await api.update('saved-views', what.id, { attributes: { name } }))
      if (what.do === 'replace') return void (await api.update('saved-views', what.id, { attributes: { query: shown } }))
      return void (await api.create('saved-views', {
        attributes: { table, name, query: shown },
        ...(survey === undefined ? {} : { relationships: { survey: { type: 'surveys', id: survey } } }),
      }))
    },
    onSuccess: async (_, what) => {
      setStep(undefined)
      showToast({ text: t(`views.done.${what.do}`) })
      await invalidateViews()
    },
  })
  const failure = act.error ? describeError(act.error) : undefined

  return (
    <div className="saved-views">
      {views.length > 0 && (
        <nav aria-label={t('views.label')}>
          <ul>
            {views.map((view) => (
              <li key={view.id}>
                {link(view.query, view.name, view.query === shown ? { 'aria-current': 'true' } : {})}
                <Menu
                  label={t('views.manage', { name: view.name })}
                  trigger={<Icon name="chevron-down" />}
                  groups={[
                    [
                      { id: 'rename', label: t('views.rename'), onAction: () => openStep({ do: 'rename', id: view.id, name: view.name }) },
                      ...(view.query === shown
                        ? []
                        : [{ id: 'replace', label: t('views.replace'), onAction: () => act.mutate({ do: 'replace', id: view.id }) }]),
                      {
                        id: 'remove',
                        label: t('views.remove'),
                        icon: 'trash',
                        danger: true,
                        onAction: () => openStep({ do: 'remove', id: view.id, name: view.name }),
                      },
                    ],
                  ]}
                />
              </li>
            ))}
          </ul>
        </nav>
      )}
      {!step && <Refusal error={act.error} />}
      {kept && !views.some((view) => view.query === shown) && (
        <Button kind="plain" size="small" onClick={() => openStep({ do: 'save' })}>
          {t('views.save')}
        </Button>
      )}
      {step && step.do !== 'remove' && (
        <Dialog
          title={t(step.do === 'save' ? 'views.save-title' : 'views.rename-title')}
          isOpen
          onClose={() => setStep(undefined)}
          closeLabel={t('nav.close-dialog')}
          size="small"
        >
          <form
            className="form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              act.mutate(step)
            }}
          >
            <TextInput
              name="view-name"
              label={t('views.name')}
              hint={step.do === 'save' ? t('views.save-text') : undefined}
              value={name}
              onChange={setName}
              error={failure}
              maxLength={80}
              required
            />
            <div className="form-actions">
              <Button type="submit" pending={act.isPending}>
                {t('views.keep')}
              </Button>
            </div>
          </form>
        </Dialog>
      )}
      {step?.do === 'remove' && (
        <ConfirmDialog
          title={t('views.remove-title', { name: step.name })}
          isOpen
          danger
          onClose={() => setStep(undefined)}
          onConfirm={() => act.mutateAsync(step).then(undefined, () => undefined)}
          confirmLabel={t('views.remove')}
          cancelLabel={t('confirm.cancel')}
        >
          <p>{t('views.remove-text')}</p>
          {failure && <p role="alert">{failure}</p>}
        </ConfirmDialog>
      )}
    </div>
  )
}
