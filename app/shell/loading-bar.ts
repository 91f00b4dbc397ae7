import NProgress from 'nprogress'
import './loading-bar.css'

export type LoadingState = 'none' | 'loading' | 'done'

const CLEARED_AFTER_MS = 250
const NEARLY_FULL = 0.95
/** Not 1: at 1, nprogress would start its own fade. */
const FULL = 1 - Number.EPSILON

NProgress.configure({ template: '<div class="bar"></div>', barSelector: '.bar', showSpinner: false, trickle: false, minimum: 0, speed: 0 })

let state: LoadingState = 'none'
let clearing: ReturnType<typeof setTimeout> | undefined

/** Navigation started: the bar fills towards 95 % over 8 s. */
export function startLoadingBar(): void {
  clearTimeout(clearing)
  NProgress.remove()
  NProgress.status = null
  setLoadingState('loading', NEARLY_FULL)
}

/** Navigation finished or failed: the bar jumps to full, fades, and is removed after 250 ms. */
export function finishLoadingBar(): void {
  if (state !== 'loading') return
  setLoadingState('done', FULL)
  clearing = setTimeout(() => {
    state = 'none'
    NProgress.remove()
    NProgress.status = null
  }, CLEARED_AFTER_MS)
}

function setLoadingState(next: LoadingState, filled: number): void {
  state = next
  NProgress.set(filled)
  document.getElementById('nprogress')?.setAttribute('data-state', next)
}
