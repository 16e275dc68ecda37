from __future__ import annotations

import torch
from iunets.layers import InvertibleChannelMixing2D, InvertibleDownsampling2D


def cases():
    x = torch.randn(1, 4, 4, 4, generator=torch.Generator().manual_seed(0))
    for method in ("cayley", "exp"):
        yield f"mixing {method}", lambda m=method: (InvertibleChannelMixing2D(4, method=m), (x,))
        yield f"down {method}", lambda m=method: (InvertibleDownsampling2D(4, method=m), (x,))
