import { useEffect } from 'react'
import { removeFromDevice } from './answers-on-device.ts'

/** Removes the answers from the device once they have been received. */
export function useForgetAnswers(surveyId: string | undefined): void {
  useEffect(() => {
    if (surveyId) removeFromDevice(surveyId)
  }, [surveyId])
}
