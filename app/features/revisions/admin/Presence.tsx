import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { type Draft, isNewerVersion } from '#app/shell/admin/drafts/draft.ts'
import type { EditedPlace } from '../draft.schema.ts'
import { tellPresence } from '../presence.functions.ts'
import type { Presence as Present } from '../presence.server.ts'

const HEARTBEAT_MS = 4000

interface PresenceProps {
  place: EditedPlace
  draft: Pick<Draft<unknown>, 'base' | 'isChanged' | 'isSaving' | 'conflict' | 'follow'>
}

/** Who else has this open, and whether they saved something newer than what this screen shows. */
export function Presence({ place, draft }: PresenceProps) {
  const { t } = useTranslation('editor')
  const { others, newest } = usePresence(place)
  const follow = useMutation({ mutationFn: draft.follow })
  const { base, isChanged, isSaving, conflict } = draft
  const isBehind = newest !== null && isNewerVersion(newest, base.id ?? '') && !isChanged && !isSaving && !conflict
  return (
    <output className="presence">
      {listPeople(others).map(({ editor, name, isOwn }) => (
        <span key={editor} className="presence-person">
          <Avatar name={name} size={22} />
          {isOwn ? t('presence.you') : t('presence.somebody', { name })}
        </span>
      ))}
      {isBehind && (
        <span className="presence-newer">
          {t('presence.newer')}
          <Button kind="secondary" size="small" type="button" pending={follow.isPending} onClick={() => follow.mutate()}>
            {t('presence.follow')}
          </Button>
        </span>
      )}
    </output>
  )
}

/** Each person once, in however many windows. */
const listPeople = (others: Present['others']) =>
  others.filter(({ name, isOwn }, at) => others.findIndex((one) => one.name === name && one.isOwn === isOwn) === at)

const fetchBeyondPage: typeof fetch = (input, init) => fetch(input, { ...init, keepalive: true })

function usePresence({ subject, placeId }: EditedPlace): Present {
  const [present, setPresent] = useState<Present>({ others: [], newest: null })
  const [editor] = useState(() => crypto.randomUUID())
  useEffect(() => {
    let isOver = false
    const sendPresence = async () => {
      if (document.visibilityState === 'hidden') return
      try {
        const found = await tellPresence({ data: { subject, placeId, editor } })
        if (!isOver) setPresent(found)
      } catch {
        // Nobody is shown while the server is unreachable; the draft status reports unsaved work.
        if (!isOver) setPresent({ others: [], newest: null })
      }
    }
    const leave = () => {
      tellPresence({ data: { subject, placeId, editor, isLeaving: true }, fetch: fetchBeyondPage }).catch(() => {})
    }
    void sendPresence()
    const timer = setInterval(() => void sendPresence(), HEARTBEAT_MS)
    // Otherwise a reloaded page would be another window until the time-out.
    window.addEventListener('pagehide', leave)
    return () => {
      isOver = true
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }, [subject, placeId, editor])
  return present
}
