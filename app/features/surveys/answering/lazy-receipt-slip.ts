import { lazyRouteComponent } from '@tanstack/react-router'

/** Loaded only where a receipt is shown. */
export const ReceiptSlip = lazyRouteComponent(() => import('./ReceiptSlip.tsx'), 'ReceiptSlip')
