// The stories of sources. They share a service, its kills and the starts after them, which take longer than most stories.
import './updating.stories.ts';
import './streams.stories.ts';
import './deploying.stories.ts';
import './forms.stories.ts';
import './accounts.stories.ts';
import './timers.stories.ts';
