import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Translated } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { EditDialog } from './edit-dialog.tsx'

interface ProjectPartsProps<Part extends { id: string; title: string }> {
  /** Begins the id of the heading. */
  name: string
  words: { title: string; about: string; none: string; noneText: string; add: string; partName: string; save: string; failed: string }
  found: { isError: boolean; data: { data: readonly Part[] } | undefined }
  /** What stands beside a title: its state, and a link to its page. */
  renderFacts: (part: Part) => ReactNode
  /** Creates one and goes to its page. */
  add: (titleTranslations: Translated) => Promise<unknown>
}

/** What a project has of one sort, such as its events, below its activities. Each is changed on a page of its own. */
export function ProjectParts<Part extends { id: string; title: string }>(props: ProjectPartsProps<Part>) {
  const { name, words, found, renderFacts } = props
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  if (found.isError) return <Notice kind="error" title={words.failed} />
  if (!found.data) return <Skeleton label={t('loading')} lines={2} />
  return (
    <section className="admin-stack" aria-labelledby={`${name}-heading`}>
      <h2 id={`${name}-heading`}>{words.title}</h2>
      <p>{words.about}</p>
      {found.data.data.length === 0 ? (
        <EmptyState title={words.none}>{words.noneText}</EmptyState>
      ) : (
        <ul className="admin-list">
          {found.data.data.map((part) => (
            <li key={part.id} className="admin-panel">
              <strong>{part.title}</strong>
              <span className="row">{renderFacts(part)}</span>
            </li>
          ))}
        </ul>
      )}
      <div className="row">
        <Button kind="secondary" onClick={() => setAdding(true)}>
          {words.add}
        </Button>
      </div>
      {adding && <AddPart words={words} add={props.add} onClose={() => setAdding(false)} />}
    </section>
  )
}

function AddPart({ words, add, onClose }: Pick<ProjectPartsProps<never>, 'words' | 'add'> & { onClose: () => void }) {
  const site = useSite()
  const [titleTranslations, setTitle] = useState<Translated>({})
  const save = useMutation({ mutationFn: () => add(titleTranslations) })
  const { faults, messageOf, texts } = useEditorTexts(save.error)
  return (
    <EditDialog title={words.add} saveLabel={words.save} save={save} faults={faults} onClose={onClose}>
      <TranslatedTexts
        languages={site.contentLanguages}
        source={site.locale}
        fields={[{ name: 'titleTranslations', label: words.partName }]}
        values={{ titleTranslations }}
        onChange={(_, text) => setTitle(text)}
        messageOf={messageOf}
        words={texts}
      />
    </EditDialog>
  )
}
