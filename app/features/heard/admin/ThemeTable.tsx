import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { forgetHeard, themesQuery } from '../heard.queries.ts'
import { EditTheme, type Theme } from './EditTheme.tsx'
import { SplitTheme } from './SplitTheme.tsx'

type Asked = { what: 'edit' | 'merge' | 'split'; theme: Theme } | { what: 'new' }

/** The themes of a project with the people who raised them, and what brings them into order. */
export function ThemeTable({ project }: { project: string }) {
  const { t } = useTranslation('heard-admin')
  const { t: heard } = useTranslation('heard')
  const { t: common } = useTranslation()
  const format = useFormat()
  const { data } = useSuspenseQuery(themesQuery(project))
  const [asked, setAsked] = useState<Asked>()
  const { merge, remove } = useThemeActs()
  const titles = new Map(data.data.map(({ id, title }) => [id, title]))
  const mergedInto = (theme: Theme) => titles.get(theme.relationships.mergedInto?.id ?? '')
  const whole = data.data.filter((theme) => !theme.relationships.mergedInto)
  const close = () => setAsked(undefined)
  return (
    <section className="admin-stack" aria-labelledby="themes-heading">
      <div className="row">
        <h2 id="themes-heading">{t('themes.title')}</h2>
        <Button kind="secondary" size="small" onClick={() => setAsked({ what: 'new' })}>
          {t('themes.new')}
        </Button>
      </div>
      <DataTable
        caption={t('themes.title')}
        rows={data.data}
        rowKey={(theme) => theme.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('themes.none')}>{t('themes.none-text')}</EmptyState>}
        columns={[
          {
            id: 'title',
            head: t('themes.name'),
            names: true,
            cell: (theme) => (
              <>
                <span lang={theme.meta.languages?.title} dir={getDirection(theme.meta.languages?.title)}>
                  {theme.title}
                </span>
                {mergedInto(theme) !== undefined && <small className="meta"> · {t('themes.merged', { title: mergedInto(theme) })}</small>}
              </>
            ),
          },
          { id: 'stance', head: t('themes.stance'), secondary: true, cell: (theme) => t(`stances.${theme.stance}`) },
          {
            id: 'people',
            head: t('themes.people'),
            align: 'end',
            underName: ({ people }) => heard('from', { count: people, number: format.number(people) }),
            cell: (theme) => format.number(theme.people),
          },
          { id: 'passages', head: t('themes.passages'), align: 'end', secondary: true, cell: (theme) => format.number(theme.passages) },
          {
            id: 'acts',
            head: t('themes.acts'),
            acts: true,
            cell: (theme) => (
              <span className="row row-tight">
                {theme.relationships.mergedInto ? (
                  <Button kind="plain" size="small" onClick={() => void merge(theme, null)}>
                    {t('themes.unmerge')}
                    <span className="visually-hidden"> {theme.title}</span>
                  </Button>
                ) : (
                  <>
                    <ThemeButton theme={theme} label={t('themes.edit')} onPress={() => setAsked({ what: 'edit', theme })} />
                    {whole.length > 1 && (
                      <ThemeButton theme={theme} label={t('themes.merge')} onPress={() => setAsked({ what: 'merge', theme })} />
                    )}
                    {theme.passages > 0 && (
                      <ThemeButton theme={theme} label={t('themes.split')} onPress={() => setAsked({ what: 'split', theme })} />
                    )}
                    {theme.passages === 0 && <ThemeButton theme={theme} label={t('themes.remove')} onPress={() => void remove(theme)} />}
                  </>
                )}
              </span>
            ),
          },
        ]}
      />
      {asked?.what === 'new' && <EditTheme project={project} onClose={close} />}
      {asked?.what === 'edit' && <EditTheme project={project} theme={asked.theme} onClose={close} />}
      {asked?.what === 'merge' && (
        <MergeTheme theme={asked.theme} others={whole.filter(({ id }) => id !== asked.theme.id)} merge={merge} onClose={close} />
      )}
      {asked?.what === 'split' && <SplitTheme project={project} theme={asked.theme} themes={whole} onClose={close} />}
    </section>
  )
}

function ThemeButton({ theme, label, onPress }: { theme: Theme; label: string; onPress: () => void }) {
  return (
    <Button kind="plain" size="small" onClick={onPress}>
      {label}
      <span className="visually-hidden"> {theme.title}</span>
    </Button>
  )
}

/** Merging can be undone right after it, and at any time from the table. */
function useThemeActs() {
  const { t } = useTranslation('heard-admin')
  const { describeError } = useFaultTexts()
  const queryClient = useQueryClient()
  const setInto = async ({ id }: Theme, into: string | null) => {
    const { data: now } = await api.get('themes', id)
    await api.update(
      'themes',
      id,
      { attributes: {}, relationships: { mergedInto: into ? { type: 'themes', id: into } : null } },
      { lockVersion: now.meta.lockVersion },
    )
    await forgetHeard(queryClient)
  }
  const run = async (work: () => Promise<void>): Promise<boolean> => {
    try {
      await work()
      return true
    } catch (error) {
      showToast({ kind: 'error', text: describeError(error) })
      return false
    }
  }
  return {
    merge: (theme: Theme, into: string | null) =>
      run(async () => {
        await setInto(theme, into)
        const undo = { label: t('read.undo'), onAction: () => setInto(theme, null) }
        showToast({
          text: t(into ? 'themes.was-merged' : 'themes.was-unmerged', { title: theme.title }),
          ...(into ? { action: undo } : {}),
        })
      }),
    remove: (theme: Theme) =>
      run(async () => {
        await api.remove('themes', theme.id)
        await forgetHeard(queryClient)
      }),
  }
}

interface MergeThemeProps {
  theme: Theme
  others: readonly Theme[]
  merge: (theme: Theme, into: string) => Promise<boolean>
  onClose: () => void
}

function MergeTheme({ theme, others, merge, onClose }: MergeThemeProps) {
  const { t } = useTranslation('heard-admin')
  const [into, setInto] = useState(others[0]?.id ?? '')
  const save = useMutation({ mutationFn: () => merge(theme, into), onSuccess: (done) => done && onClose() })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t('themes.merge-title', { title: theme.title })}
      saveLabel={t('themes.merge')}
      save={save}
      faults={words.faults}
      onClose={onClose}
      size="medium"
    >
      <p>{t('themes.merge-text')}</p>
      <SelectInput
        name="into"
        label={t('themes.merge-into')}
        value={into}
        options={others.map(({ id, title }) => ({ value: id, label: title }))}
        onChange={setInto}
      />
    </EditDialog>
  )
}
