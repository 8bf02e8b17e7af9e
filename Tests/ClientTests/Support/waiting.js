// Waiting for what a session tells, with a time limit and without sleeping.

/**
 * Resolves when `holds` does, looked at after each event.
 * @param {import('../../../Sources/Service/Resources/rowcast.js').Session} session
 * @param {(event?: any) => boolean} holds
 */
export function until(session, holds, what = String(holds), limit = 20000) {
  return new Promise((resolve, reject) => {
    if (holds()) return resolve(undefined)
    const timer = setTimeout(() => {
      stop()
      reject(new Error(`waited ${limit} ms for ${what}; revision ${session.revision}, ${session.status}`))
    }, limit)
    const stop = session.subscribe((event) => {
      if (!holds(event)) return
      clearTimeout(timer)
      stop()
      resolve(undefined)
    })
  })
}
