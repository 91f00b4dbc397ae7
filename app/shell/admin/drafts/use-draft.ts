import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { DraftSession } from './draft-session.ts'
import type { Draft, DraftStore, StoredVersion } from './draft.ts'

/** An editor's draft: saved as somebody works, and before they leave the editor. */
export function useDraft<Content>(createStore: () => DraftStore<Content>, first: StoredVersion<Content>): Draft<Content> {
  const { t } = useTranslation('editor')
  const [session] = useState(() => new DraftSession(createStore(), first))
  const draft = useSyncExternalStore(session.subscribe, session.getDraft, session.getDraft)
  useEffect(() => session.start(), [session])
  useBlocker({
    shouldBlockFn: async () => {
      // Which of two versions is right is for the person to say, so leaving must not save one of them.
      const mayHelp = !draft.conflict && draft.problem !== 'offline'
      if (mayHelp && (await session.save()) !== undefined) return false
      return !window.confirm(t('leave'))
    },
    enableBeforeUnload: draft.isChanged,
    disabled: !draft.isChanged,
  })
  return draft
}
