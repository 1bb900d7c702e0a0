"""The policy that ships with the package: a small network over element lists, in numpy."""

from openvenus.policy.embedded._batch import Batch, collate
from openvenus.policy.embedded._choices import KINDS
from openvenus.policy.embedded._choose import Choice, Exploration, second_mask
from openvenus.policy.embedded._features import Arrays, Features, featurize
from openvenus.policy.embedded._instruction import SPAN_FEATURES
from openvenus.policy.embedded._network import Network
from openvenus.policy.embedded._policy import EmbeddedPolicy, Proposal, Thresholds
from openvenus.policy.embedded._shape import (
    AS_IS_PRIOR,
    FIELD_FEATURES,
    FIELD_PRIOR,
    KIND_PRIOR,
    QUOTE_PRIOR,
    SUITS_PRIOR,
    USABLE_PRIOR,
    Shape,
    tensor_shapes,
)
from openvenus.policy.embedded._spans import field_features
from openvenus.policy.embedded._weights import Weights, load_weights, save_weights

__all__ = [
    "AS_IS_PRIOR",
    "FIELD_FEATURES",
    "FIELD_PRIOR",
    "KINDS",
    "KIND_PRIOR",
    "QUOTE_PRIOR",
    "SPAN_FEATURES",
    "SUITS_PRIOR",
    "USABLE_PRIOR",
    "Arrays",
    "Batch",
    "Choice",
    "EmbeddedPolicy",
    "Exploration",
    "Features",
    "Network",
    "Proposal",
    "Shape",
    "Thresholds",
    "Weights",
    "collate",
    "featurize",
    "field_features",
    "load_weights",
    "save_weights",
    "second_mask",
    "tensor_shapes",
]
