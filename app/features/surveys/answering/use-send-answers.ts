import type { FormEvent } from 'react'
import { useSendWhenOnline } from '#app/features/participation/keeping/use-send-when-online.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import type { SurveyView } from '../surveys.views.ts'

/** Sends answers once there is a connection; a survey that accepts one response per browser has to recognise it. */
export function useSendAnswers({ access }: Pick<SurveyView, 'access'>) {
  const viewer = useViewer()
  const { waiting, sendWhenReachable } = useSendWhenOnline({ needsToken: access === 'anyone_once' && viewer === null })
  return { waiting, sendWhenReachable: ({ nativeEvent }: FormEvent<HTMLFormElement>) => sendWhenReachable(nativeEvent as SubmitEvent) }
}
