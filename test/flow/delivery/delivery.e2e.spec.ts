// The stories of delivery. They share a service, its kills and the starts after them, which take longer than most stories.
// First the one that counts all events of the workspace.
import './subscriptions.stories.ts';
import './webhooks.stories.ts';
import './replays.stories.ts';
import './changes.stories.ts';
