// A well-formed record of each message about alerts.

const alert = { code: 'malformed_record', subject: 'runs' } as const;

export const alertSamples = {
  commands: { RaiseAlert: { ...alert, message: 'm', since: 1 }, EndAlert: alert },
  alerts: {
    AlertRaised: { ...alert, message: 'm', since: 1 },
    AlertContinued: { ...alert, message: 'm', since: 1 },
    AlertEnded: alert,
  },
} as const;
