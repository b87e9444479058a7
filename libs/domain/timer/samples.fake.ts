// A well-formed record of a timer, with every optional field.

export const scheduleSamples = {
  TimerScheduled: {
    sourceId: 'dc_1',
    schedule: { cron: '0 9 * * *', timezone: 'UTC' },
    nextDue: 2,
    lastDue: 1,
    waitsFor: 'run_1',
  },
};
