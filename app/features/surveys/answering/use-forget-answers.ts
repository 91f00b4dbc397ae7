import { useEffect } from 'react'
import { removeFromDevice } from './answers-on-device.ts'

/** Once the answers have arrived, nothing of them stays on the device. */
export function useForgetAnswers(surveyId: string | undefined): void {
  useEffect(() => {
    if (surveyId) removeFromDevice(surveyId)
  }, [surveyId])
}
